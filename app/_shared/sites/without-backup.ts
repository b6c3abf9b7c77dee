/** In the address of a site: its deletion is asked about, with the last backup left out. */
export const withoutBackup = 'delete-without-backup'
