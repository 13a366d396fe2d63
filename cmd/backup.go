package cmd

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"litmuscope/store"
)

// backupCommand returns the backup command.
func backupCommand() *cobra.Command {
	var db string
	var force bool
	c := &cobra.Command{
		Use:   "backup [flags] FILE",
		Short: "Copy the server's database, even while the server runs",
		Long: `Copy the server's database, even while the server runs.

The copy is a complete, consistent snapshot that only its owner can read. To restore
it, stop the server, replace its database file with the copy, and remove the files
with the same name and -wal or -shm at the end.`,
		Example: `  litmuscope backup --db /var/lib/litmuscope/litmuscope.db monday.db`,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			path, err := databasePath(db)
			if err != nil {
				return err
			}
			if _, err := os.Stat(path); err != nil {
				return fmt.Errorf("backup: %w", err) // else store.Open would create a database and copy that
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
	c.Flags().BoolVar(&force, "force", false, "replace the file if it exists")
	return c
}
