/** A portal that comes up without pages, with the log on standard output as a portal writes it, and ends. */
import { startPortal } from '@/lib/portal/entry/start'

await startPortal()
process.exit(0)
