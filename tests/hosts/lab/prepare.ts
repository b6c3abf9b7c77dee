/**
 * `node --import tsx tests/hosts/lab/prepare.ts`: prepares the lab. If this machine cannot run it, says why on stderr and exits
 * with 3.
 */
import { requireLab } from './lab.ts'
import { LabMissing } from './requirements.ts'

try {
  await requireLab()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof LabMissing ? 3 : 1
}
