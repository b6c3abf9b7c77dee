/** How programs end, besides 0 (done) and 1 (failed). docs/running.md lists these codes. */

/** The command line is not one that the command has. */
export const wrongUse = 2

/** Only the administrator can help: settings, folders or files are not usable. systemd does not start the units again after it. */
export const configurationError = 78
