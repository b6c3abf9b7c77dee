/** Lets the job of a site on a lab host stand still at any of the changes it makes, found as they happen: stops.c. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mustRun } from '../lab/command'
import type { Host } from '../lab/lab'

const folder = '/run/gatehouse-stops'
const dropIn = '/run/systemd/system/gatehouse-site-job-.service.d/stops.conf'
/** Of whichever job. */
const unit = 'gatehouse-site-job-*.service'

/** One change that a job made: how it can be stopped at, and what it is, for titles. */
export type Moment = { number: number; program: string; what: string }

export type Stops = {
  /** Again after a power cut, which forgets it. */
  place(): Promise<void>
  /** The next job stands still at this moment. 0: none does. Forgets what was counted. */
  at(moment: number): Promise<void>
  /** Resolves with true once the job stands there, with false if it ended before. */
  reached(): Promise<boolean>
  /** Lets the job continue. */
  release(): Promise<void>
  /** The moments that the last job went through. */
  listed(): Promise<Moment[]>
}

export async function placeStops(host: Host): Promise<Stops> {
  const library = await build()
  const inside = async (command: string, stdin?: string) => {
    const { code, stdout, stderr } = await host.run(command, stdin === undefined ? {} : { stdin })
    if (code !== 0) throw new Error(`${command}: ${stderr}`)
    return stdout
  }
  const words = ['[Service]', `Environment=LD_PRELOAD=${folder}/stops.so`, ''].join('\n')
  const place = async () => {
    await inside(
      `install -d -m 755 ${folder} ${dropIn.replace(/\/[^/]*$/, '')} && base64 -d >${folder}/stops.so`,
      library.toString('base64'),
    )
    await inside(`cat >${dropIn} && systemctl daemon-reload`, words)
  }
  await place()
  return {
    place,
    async at(moment) {
      const bytes = moment
        .toString(16)
        .padStart(8, '0')
        .match(/../g)
        ?.reverse()
        .map((byte) => `\\x${byte}`)
        .join('')
      await inside(
        `cd ${folder} && { head -c 4 /dev/zero; printf '${bytes}'; head -c 4088 /dev/zero; } >state && : >log && chmod 666 state log`,
      )
    },
    async reached() {
      const said = await inside(
        `until [ "$(od -An -tu4 -j8 -N4 ${folder}/state | tr -d ' ')" = 1 ]; do systemctl -q is-active ${unit} || { echo ended; exit; }; sleep 0.02; done; echo reached`,
      )
      return said.trim() === 'reached'
    },
    release: async () => void (await inside(`printf '\\x01' | dd of=${folder}/state bs=1 seek=12 conv=notrunc status=none`)),
    async listed() {
      return (await inside(`cat ${folder}/log`))
        .split('\n')
        .filter(Boolean)
        .map((line) => {
          const [number = '', program = '', what = ''] = line.split('\t')
          return { number: Number(number), program, what }
        })
    },
  }
}

async function build(): Promise<Buffer> {
  const place = await mkdtemp(join(tmpdir(), 'gatehouse-stops-'))
  try {
    const source = fileURLToPath(new URL('stops.c', import.meta.url))
    await mustRun('gcc', ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', join(place, 'stops.so'), source])
    return await readFile(join(place, 'stops.so'))
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
