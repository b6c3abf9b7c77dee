/** Which build of the portal is running, so that a page from an older build can say so. */
import 'server-only'

// Set by the process's main program, which is outside Next's bundles.
const holder: { gatehouseBuildId?: string } = globalThis as object

/** Changes with every build; empty without one, as in unit tests. */
export const readBuildId = (): string => holder.gatehouseBuildId ?? ''
