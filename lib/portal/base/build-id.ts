/** Which build of the portal runs, so that a page from an older one can say so. */
import 'server-only'

// Set by the process's main program, which is no part of Next's bundles.
const holder: { gatehouseBuildId?: string } = globalThis as object

/** Changes with every build; empty where there is none, as in tests of single parts. */
export const readBuildId = (): string => holder.gatehouseBuildId ?? ''
