/** The id of the running build, so that a page from an older build can report it. */
import 'server-only'

// Set by the process's main program, which is outside Next's bundles.
const holder: { gatehouseBuildId?: string } = globalThis as object

/** Different for every build; empty without one, as in unit tests. */
export const readBuildId = (): string => holder.gatehouseBuildId ?? ''
