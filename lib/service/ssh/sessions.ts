/** Sessions on a server: all over one connection, or one connection each if the server allows only one session per connection. */
import type { ClientChannel } from 'ssh2'
import type { Connection } from './connect'
import { ChannelRefused, CutConnection, loginFailed } from './failure'

/** How a program ended. code: null until the server reports it, or if it never does. */
export type Ending = { code: number | null; closed: boolean }

/** A program that runs on the server. */
export type Session = { stream: ClientChannel; user: string; isOpen(): boolean; ending: Readonly<Ending> }

/** Starts a program. Throws CutConnection, ChannelRefused or MachineFailure. */
export type Execute = (command: string) => Promise<Session>

const executeOver =
  (connection: Connection): Execute =>
  (command) =>
    new Promise((resolve, reject) => {
      if (!connection.isOpen()) return reject(new CutConnection({ sent: false }))
      const gone = () => reject(new CutConnection({ sent: false }))
      connection.client.once('close', gone)
      connection.client.exec(command, (error, stream) => {
        connection.client.off('close', gone)
        if (!error) resolve({ stream, user: connection.user, isOpen: connection.isOpen, ending: watchEnding(stream) })
        // Only a refusal by the server has a reason.
        else reject('reason' in error ? new ChannelRefused({ cause: error }) : new CutConnection({ cause: error, sent: false }))
      })
    })

/** Attached first, because a program that exits immediately may have ended before its caller continues. */
function watchEnding(stream: ClientChannel): Ending {
  const ending: Ending = { code: null, closed: false }
  stream.once('exit', (code: number | null) => {
    ending.code = code
  })
  stream.once('close', () => {
    ending.closed = true
  })
  return ending
}

/** The same if only one session is needed. Throws login_failed if the server allows none. */
export const executeAlone =
  (connection: Connection): Execute =>
  (command) =>
    executeOver(connection)(command).catch((error) =>
      Promise.reject(error instanceof ChannelRefused ? noSessions(connection.user, error) : error),
    )

/** `login` opens another connection. MaxSessions in sshd_config counts per connection. */
export function createSessions(connection: Connection, login: () => Promise<Connection>) {
  const further = new Set<Connection>()
  const executeElsewhere: Execute = async (command) => {
    const other = await login()
    further.add(other)
    const end = () => {
      further.delete(other)
      void other.end()
    }
    try {
      const session = await executeAlone(other)(command)
      session.stream.once('close', end)
      return session
    } catch (error) {
      end()
      throw error
    }
  }
  const execute: Execute = (command) =>
    executeOver(connection)(command).catch((error) => {
      if (error instanceof ChannelRefused) return executeElsewhere(command)
      throw error
    })
  const end = async () => void (await Promise.all([connection, ...further].map((one) => one.end())))
  return { execute, end }
}

const noSessions = (user: string, cause: unknown) =>
  loginFailed(
    `${user} can log in to the server but cannot open a session. Check MaxSessions in its sshd_config; Gatehouse needs at least 1.`,
    cause,
  )
