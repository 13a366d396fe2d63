package class

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"litmuscope/store"
)

// A name is an adjective and a noun. None is about people, bodies, minds, animals, countries or beliefs, and no
// combination has another meaning.
var (
	hows = strings.Fields(
		`Agile Amber Ample Autumn Azure Balmy Bold Breezy Bright Brisk Calm Cheery Civic Clear Coastal Copper Coral Cosmic
		Cosy Crisp Crystal Curious Dapper Daring Eager Early Earnest Electric Emerald Festive Floral Fluent Frosty Gentle Gilded Glad Golden
		Graceful Grand Hardy Hazel Honest Indigo Jade Jolly Jovial Keen Lively Lofty Loyal Lucid Lucky Lunar Maple Marble Mellow Merry
		Mighty Misty Modest Mossy Neat Nimble Noble Opal Orderly Patient Peaceful Pearl Placid Plucky Polar Polished Quick Quiet Rapid Ready
		Regal Robust Rustic Sapphire Scenic Serene Shiny Silent Silver Sincere Snowy Solar Stable Starry Steady Stellar Sturdy Sunny Swift
		Tidy Topaz Tranquil Upbeat Velvet Vivid Whimsical Windy Winter Zesty`)
	whats = strings.Fields(
		`Acorn Almanac Anchor Anvil Arbor Aspen Atlas Aurora Basin Bay Beacon Bell Birch Breeze Bridge Brook Cabin Canopy
		Canvas Canyon Cedar Cello Chalet Cloud Clover Comet Compass Cottage Creek Cypress Dawn Delta Dune Easel Ember Estuary Fern Ferry
		Fjord Flute Forest Fountain Galaxy Garden Geyser Glacier Glade Globe Grove Harbour Harp Haven Heath Hill Horizon Island Jetty Journal
		Kettle Kite Lagoon Lake Lantern Lens Lighthouse Lily Lotus Lute Mandolin Meadow Meridian Mesa Meteor Mill Mosaic Mountain Nebula
		Notebook Oak Oasis Ocean Orbit Orchard Orchid Paddle Palette Parasol Pavilion Pebble Pendulum Piano Pine Planet Plateau Pond Prairie
		Prism Quarry Quartz Quill Raft Reef Ridge River Rocket Rudder Sail Satellite Sextant Signal Sonnet Spire Star Stream Summit Sundial
		Tapestry Teapot Telescope Terrace Thicket Tower Trail Tulip Turbine Valley Viaduct Villa Violin Voyage Waterfall Wave Willow
		Windmill Zephyr`)
)

// nameFor returns an unused name for a voter. It depends on the voter's hash, so a voter mostly gets the same name
// again after names were off. The caller holds the room's lock.
func (r *Room) nameFor(by Voter, taken map[string]bool) string {
	sum := sha256.Sum256(append(append([]byte("name"), r.secret...), by[:]...))
	all := uint64(len(hows) * len(whats))
	for n := binary.BigEndian.Uint64(sum[:]) % all; ; n = (n + 1) % all { // there are many more than voters
		if name := hows[n/uint64(len(whats))] + " " + whats[n%uint64(len(whats))]; !taken[name] {
			return name
		}
	}
}

// Join gives a voter a name, if the room has names and the voter has none.
func (r *Room) Join(ctx context.Context, by Voter) error {
	r.mu.Lock()
	named := !r.state.Board || r.names[by] != ""
	r.mu.Unlock()
	if named {
		return nil
	}
	return r.give(ctx, func() []Voter { return []Voter{by} })
}

// all returns the voters that are present or have voted. The caller holds the room's lock.
func (r *Room) all() []Voter {
	there := maps.Clone(r.voters)
	for by := range r.streams {
		there[by] = true
	}
	for by := range r.seen {
		there[by] = true
	}
	return slices.Collect(maps.Keys(there))
}

// give names those of the voters that have no name, up to the limit of voters.
func (r *Room) give(ctx context.Context, voters func() []Voter) error {
	r.acting.Lock()
	defer r.acting.Unlock()
	r.mu.Lock()
	taken := map[string]bool{}
	for _, name := range r.names {
		taken[name] = true
	}
	var given []store.RoomName
	if r.state.Board && !r.over {
		for _, by := range voters() {
			if by == (Voter{}) || r.names[by] != "" || len(taken) == MaxVoters {
				continue
			}
			name := r.nameFor(by, taken)
			taken[name] = true
			given = append(given, store.RoomName{Room: r.Number, Voter: by[:], Name: name})
		}
	}
	r.mu.Unlock()
	if len(given) == 0 {
		return nil
	}
	if err := r.hall.keeper.SaveRoomNames(ctx, given); err != nil {
		return r.gone(err)
	}
	r.mu.Lock()
	for _, n := range given {
		r.names[Voter(n.Voter)] = n.Name
	}
	r.mu.Unlock()
	return nil
}

// takeNames deletes all names. The caller holds acting.
func (r *Room) takeNames(ctx context.Context) error {
	if err := r.hall.keeper.DropRoomNames(ctx, r.Number); err != nil {
		return err
	}
	r.mu.Lock()
	clear(r.names)
	r.mu.Unlock()
	return nil
}
