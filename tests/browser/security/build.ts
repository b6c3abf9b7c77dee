/** The routes and actions of a build of the portal, from its own manifests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ActionAddress } from './action-call'

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'))

/** `/(portal)/servers/page` is the route `/servers`. */
const routeOf = (entry: string): string => entry.replace(/\/\([^)]+\)/g, '').replace(/\/(page|route)$/, '') || '/'

/** Every route by its path, placeholders in brackets. */
export function readRoutes(build: string): string[] {
  const manifests: object[] = ['app-paths-manifest.json', 'pages-manifest.json'].map((name) => readJson(build, 'server', name))
  return manifests.flatMap(Object.keys).map(routeOf)
}

type ServerReference = { workers: Record<string, unknown>; filename: string; exportedName: string }

/** Every server action by its file and name, at the first page that has it. */
export function readActions(build: string): ReadonlyMap<string, ActionAddress> {
  const manifest: Record<'node' | 'edge', Record<string, ServerReference>> = readJson(build, 'server/server-reference-manifest.json')
  const references = Object.entries({ ...manifest.edge, ...manifest.node })
  return new Map(
    references.map(([id, { workers, filename, exportedName }]) => {
      const [worker = ''] = Object.keys(workers)
      return [`${filename} ${exportedName}`, { id, page: routeOf(worker.slice('app'.length)) }]
    }),
  )
}
