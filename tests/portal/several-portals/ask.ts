/** Requests to portals behind a balancer, whose answers may be lost. */
import { type IncomingMessage, request } from 'node:http'

export type Ask = { port: number; path: string; sessionId: string; body?: object; headers?: Record<string, string> }

/** Over a new connection. */
export function begin({ port, path, sessionId, body, headers = {} }: Ask, take: (answer: IncomingMessage) => void, lost: () => void) {
  const method = body === undefined ? 'GET' : 'POST'
  const asking = request({ host: '127.0.0.1', port, path, method, agent: false, headers: { 'x-session': sessionId, ...headers } }, take)
  asking.once('error', lost)
  asking.end(body && JSON.stringify(body))
  return asking
}

/** The JSON of a good answer; null if there is none within the time. */
export function ask<T>(what: Ask, waitMs = 10_000): Promise<T | null> {
  return new Promise((resolve) => {
    const lost = () => resolve(null)
    const take = (answer: IncomingMessage) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      answer.once('close', lost)
      answer.once('end', () => resolve(answer.statusCode === 200 ? (JSON.parse(text) as T) : null))
    }
    const asking = begin(what, take, lost)
    const timer = setTimeout(() => asking.destroy(), waitMs)
    asking.once('close', () => clearTimeout(timer))
  })
}
