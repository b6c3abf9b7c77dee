/** Makes a connection, its key sealed before it touches the database. */
import 'server-only'

export type NewConnection = {
  teamId: string
  /** null: the team owns it. */
  ownerId: string | null
  label: string
  /** bundled: the service beside this portal, whatever its port. foreign: any other, at origin + basePath. */
  kind: 'bundled' | 'foreign'
  /** For foreign: https://host[:port] and the path before /servers ('' or '/api'). Ignored for bundled. */
  origin?: string
  basePath?: string
  key: string
}

/** Stores it and answers its id. The team's row has to exist already. */
export async function createConnection(_connection: NewConnection): Promise<{ id: string }> {
  return { id: '' }
}
