package cmd

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"litmuscope/store"
)

func backupCommand() *cobra.Command {
	var db string
	var force bool
	c := &cobra.Command{
		Use:   "backup [flags] FILE",
		Short: "Copy the server's database, while it runs or not",
		Long: `Copy the server's database, while it runs or not.

The copy is the database as it is at one moment, whole, and for its owner alone to
read. To go back to it, end the server, put the copy in the place of its database,
and remove the files beside that with its name and -wal or -shm at the end.`,
		Example: `  litmuscope backup --db /var/lib/litmuscope/litmuscope.db monday.db`,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			path, err := databasePath(db)
			if err != nil {
				return err
			}
			if _, err := os.Stat(path); err != nil {
				return fmt.Errorf("backup: %w", err) // rather than the backup of a new one
			}
			s, err := store.Open(c.Context(), path)
			if err != nil {
				return err
			}
			defer s.Close()
			err = s.Backup(c.Context(), args[0], force)
			if errors.Is(err, store.ErrBackupExists) {
				return fmt.Errorf("%w; --force replaces it", err)
			}
			return err
		},
	}
	databaseFlag(c, &db)
	c.Flags().BoolVar(&force, "force", false, "replace the file if it is there")
	return c
}
