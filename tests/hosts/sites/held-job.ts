/** Lets the next job of a site on a lab host stand still at a step, so that what happens meanwhile happens in time: hold.bash. */
import { readFileSync } from 'node:fs'
import type { Host } from '../lab/lab'

const folder = '/run/gatehouse-hold'
const dropIns = '/run/systemd/system/gatehouse-site-job-.service.d'
const script = readFileSync(new URL('hold.bash', import.meta.url), 'utf8')

export type Hold = {
  /** Resolves once the job stands still. */
  reached(): Promise<void>
  /** Lets the job continue, if it is still there. */
  release(): Promise<void>
}

/** step: as the job says it; `*` is its first one. */
export async function holdNextJob(host: Host, step = '*'): Promise<Hold> {
  const inside = async (command: string, stdin = '') => {
    const { code, stderr } = await host.run(command, { stdin, timeoutMs: 180_000 })
    if (code !== 0) throw new Error(`${command}: ${stderr}`)
  }
  await inside(`rm -rf ${folder} && install -d ${folder} ${dropIns} && cat >${folder}/hold.bash`, script)
  await inside(`cat >${dropIns}/hold.conf && systemctl daemon-reload`, `[Service]\nEnvironment=BASH_ENV=${folder}/hold.bash\n`)
  await inside(`cat >${folder}/next.new && mv ${folder}/next.new ${folder}/next`, step)
  const stands = `[ -e ${folder}/unit ] && grep -q '^State:.T' /proc/$(systemctl show -P MainPID "$(cat ${folder}/unit)")/status`
  return {
    reached: () => inside(`for each in $(seq 1200); do { ${stands}; } 2>/dev/null && exit; sleep 0.1; done; exit 1`),
    release: () => inside(`rm -f ${dropIns}/hold.conf; systemctl kill -s CONT "$(cat ${folder}/unit)" 2>/dev/null || true`),
  }
}
