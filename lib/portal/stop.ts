/** What the portal finishes before its process ends. */
import 'server-only'
import { writeHead } from './audit/heads/write'

/** Never rejects. Whoever ends the process waits for it, within limits of their choice. */
export async function finishWork(): Promise<void> {
  await writeHead()
}
