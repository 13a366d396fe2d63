package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"litmuscope/store"
)

func tokenCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "token",
		Short: "Make, list and revoke tokens for serve --auth",
		Long: `Make, list and revoke tokens for serve --auth.

A token's scopes say what its bearer may do: read suites and their results, submit
tests, or admin: all that, and meddle with what others have submitted. The database
keeps a hash of a token, so that it is shown once, when it is made. What is changed
holds at once, also for a server that is running.`,
	}
	c.AddCommand(addTokenCommand(), listTokensCommand(), revokeTokenCommand())
	return c
}

// withStore runs f with the database that --db names, or the server's own.
func withStore(ctx context.Context, db string, f func(*store.Store) error) error {
	path, err := databasePath(db)
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	return f(s)
}

func databaseFlag(c *cobra.Command, db *string) {
	c.Flags().StringVar(db, "db", "", "database file (default litmuscope/litmuscope.db in the user's cache folder)")
}

func addTokenCommand() *cobra.Command {
	var db string
	var scopes []string
	var expires time.Duration
	c := &cobra.Command{
		Use:     "add [flags] NAME",
		Short:   "Make a token, and print it",
		Example: `  litmuscope token add ci --scope read,submit --expires 720h`,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			t := store.Token{Name: args[0]}
			for _, scope := range scopes {
				t.Scopes = append(t.Scopes, store.Scope(scope))
			}
			if expires < 0 {
				return fmt.Errorf("--expires: %v is over already", expires)
			}
			if expires > 0 {
				t.Expires = time.Now().Add(expires)
			}
			return withStore(c.Context(), db, func(s *store.Store) error {
				secret, err := s.AddToken(c.Context(), t)
				if err == nil {
					fmt.Println(secret)
				}
				return err
			})
		},
	}
	databaseFlag(c, &db)
	c.Flags().StringSliceVar(&scopes, "scope", []string{string(store.Read), string(store.Submit)},
		"what its bearer may do: read, submit, admin")
	c.Flags().DurationVar(&expires, "expires", 0, "how long it is good for; 0 = until it is revoked")
	return c
}

func listTokensCommand() *cobra.Command {
	var db string
	c := &cobra.Command{
		Use:   "list [flags]",
		Short: "List the tokens' names",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withStore(c.Context(), db, func(s *store.Store) error {
				tokens, err := s.Tokens(c.Context())
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
				for _, t := range tokens {
					scopes := make([]string, len(t.Scopes))
					for i, scope := range t.Scopes {
						scopes[i] = string(scope)
					}
					fmt.Fprintf(w, "%s\t%s\tmade %s\t%s\n", t.Name, strings.Join(scopes, ","),
						t.Created.Format(time.DateTime), lifetime(t))
				}
				return w.Flush()
			})
		},
	}
	databaseFlag(c, &db)
	return c
}

func lifetime(t store.Token) string {
	switch {
	case t.Expires.IsZero():
		return "until revoked"
	case t.Expires.Before(time.Now()):
		return "expired " + t.Expires.Format(time.DateTime)
	}
	return "until " + t.Expires.Format(time.DateTime)
}

func revokeTokenCommand() *cobra.Command {
	var db string
	c := &cobra.Command{
		Use:   "revoke [flags] NAME",
		Short: "Make a token worthless",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return withStore(c.Context(), db, func(s *store.Store) error {
				err := s.RevokeToken(c.Context(), args[0])
				if errors.Is(err, store.ErrNoToken) {
					return fmt.Errorf("there is no token named %q", args[0])
				}
				return err
			})
		},
	}
	databaseFlag(c, &db)
	return c
}
