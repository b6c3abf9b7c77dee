/** How much this process sends to a host. */
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** Counts from now on what goes out by connections that are opened from now on, as it is sent, encrypted. */
export function countSent(ip: string): () => number {
  const sockets: Socket[] = []
  subscribe('net.client.socket', (message) => sockets.push((message as { socket: Socket }).socket))
  return () => sockets.filter(({ remoteAddress }) => remoteAddress === ip).reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
}
