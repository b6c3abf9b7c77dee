/** What the two halves are started with: what was built for `npm run up`, or for `npm run dev` their sources, watched for changes. */
import type { Made } from './ready.mjs'

export type Halves = {
  mode: 'production' | 'development'
  /** Arguments of Node. */
  service: readonly string[]
  /** Arguments of Node before the portal's program, and that program's arguments after host and port. */
  portal: { flags: readonly string[]; build: readonly string[] }
}

/** What starts one of the programs that `buildPrograms` made. */
export const program = ({ programs }: Made, name: string) => ['--enable-source-maps', `${programs}/${name}.mjs`]

export const builtHalves = (made: Made): Halves => ({
  mode: 'production',
  service: program(made, 'service-main'),
  // Each request leaves a lot behind that is soon of no use: with more room for it a tenth of the processor time is spared.
  portal: { flags: ['--max-semi-space-size=32'], build: [made.build] },
})

/** tsx restarts the service when a file that it imports changes, or one of the scripts that it reads. */
export const watchedHalves: Halves = {
  mode: 'development',
  service: [
    ...['--import', './lib/launcher/end-with-parent.mjs', 'node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false'],
    ...['--include=lib/service/**/*.bash', 'lib/service/main.ts'],
  ],
  portal: { flags: [], build: [] },
}
