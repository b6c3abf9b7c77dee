/** How portal and service are started: from their build for `gatehouse up`, from watched sources for `npm run dev`. */
import { heapOptions } from '@/lib/memory'
import type { Made } from './ready.mjs'

export type Halves = {
  mode: 'production' | 'development'
  /** Arguments for Node. */
  service: readonly string[]
  /** Arguments for Node up to the portal's program, and the program's arguments after host and port. */
  portal: { program: readonly string[]; build: readonly string[] }
}

/** The arguments that start one of the programs from `buildPrograms`. */
export const program = ({ programs }: Made, name: string) => ['--enable-source-maps', `${programs}/${name}.mjs`]

export const builtHalves = (made: Made): Halves => ({
  mode: 'production',
  service: [...heapOptions('service'), ...program(made, 'service-main')],
  portal: { program: [...heapOptions('portal'), `${made.programs}/portal-main.mjs`], build: [made.build] },
})

/** tsx restarts the service when a file that it imports, or a script that it reads, changes. */
export const watchedHalves = ({ programs }: Made): Halves => ({
  mode: 'development',
  service: [
    '--import',
    './lib/launcher/end-with-parent.mjs',
    'node_modules/tsx/dist/cli.mjs',
    'watch',
    '--clear-screen=false',
    '--include=lib/service/**/*.bash',
    'lib/service/main.ts',
  ],
  portal: { program: [`${programs}/portal-main.mjs`], build: [] },
})
