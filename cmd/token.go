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
		Short: "Create, list and revoke tokens for serve --auth",
		Long: `Create, list and revoke tokens for serve --auth.

The scopes of a token say what its bearer may do. read allows reading suites and their
results, and submit allows submitting tests. admin allows both, and changing what others
have submitted. The database stores only a hash of each token, so a token is shown only
once, when it is created. Changes take effect immediately, also for a running server.`,
	}
	c.AddCommand(addTokenCommand(), listTokensCommand(), revokeTokenCommand())
	return c
}

// withStore calls f with the database that --db names, or with the default one, and then closes it.
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
	c.Flags().StringVar(db, "db", "",
		"database `FILE` of the server (default litmuscope/litmuscope.db in the user's cache folder)")
}

// addTokenCommand returns the command token add.
func addTokenCommand() *cobra.Command {
	var db string
	var scopes []string
	var expires time.Duration
	c := &cobra.Command{
		Use:     "add [flags] NAME",
		Short:   "Create a token and print it",
		Example: `  litmuscope token add ci --scope read,submit --expires 720h`,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			t := store.Token{Name: args[0]}
			for _, scope := range scopes {
				t.Scopes = append(t.Scopes, store.Scope(scope))
			}
			if expires < 0 {
				return fmt.Errorf("--expires: %v is out of range (0 or more)", expires)
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
		"what the token's bearer may do: read, submit, admin")
	c.Flags().DurationVar(&expires, "expires", 0, "how long the token is valid; 0 = until it is revoked")
	return c
}

// listTokensCommand returns the command token list.
func listTokensCommand() *cobra.Command {
	var db string
	c := &cobra.Command{
		Use:   "list [flags]",
		Short: "List the tokens: names, scopes and when they expire",
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
					fmt.Fprintf(w, "%s\t%s\tcreated %s\t%s\n", t.Name, strings.Join(scopes, ","),
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
		Short: "Revoke a token",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return withStore(c.Context(), db, func(s *store.Store) error {
				err := s.RevokeToken(c.Context(), args[0])
				if errors.Is(err, store.ErrNoToken) {
					return fmt.Errorf("no token is named %q (see litmuscope token list)", args[0])
				}
				return err
			})
		},
	}
	databaseFlag(c, &db)
	return c
}
