/** Whether a click leaves the page: offline, and while the page holds something that is lost then. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportLink } from '@/app/_shared/frame/portal-link'
import { findFollowedLink, forgetStays, holdPage, isPageHeld, leavePage, readStayed } from '@/app/_shared/leaving/hold'
import { findNewSite, forgetNewPassword, keepNewSite, nameNewSite } from '@/app/_shared/sites/new-sites'

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('removeEventListener', () => undefined)
})
afterEach(() => {
  reportLink('up')
  vi.unstubAllGlobals()
})

const here = { origin: 'https://gatehouse.example', pathname: '/servers', search: '?state=ready' }
const click = { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, defaultPrevented: false }
const anchor = (pathname: string, more = {}) => {
  const { origin } = here
  return { href: `${origin}${pathname}`, target: '', origin, pathname, search: '', hash: '', download: false, ...more }
}

test('a plain click on a link to another page of the portal is followed in this window', () => {
  expect(findFollowedLink(click, anchor('/sites', { search: '?ssl=on', hash: '#a' }), here)).toBe('/sites?ssl=on#a')
  expect(findFollowedLink(click, anchor('/servers'), here)).toBe('/servers')
})

test.each([
  ['with Ctrl', { ...click, ctrlKey: true }, anchor('/sites')],
  ['of the middle button', { ...click, button: 1 }, anchor('/sites')],
  ['that something else took', { ...click, defaultPrevented: true }, anchor('/sites')],
  ['on a link to a new window', click, anchor('/sites', { target: '_blank' })],
  ['on another web site', click, anchor('/', { origin: 'https://elsewhere.example' })],
  ['on a download', click, anchor('/api/activity/csv')],
  ['on a part of this page', click, anchor('/servers', { search: '?state=ready', hash: '#content' })],
])('a click %s does not leave the page', (_, given, link) => {
  expect(findFollowedLink(given, link, here)).toBeNull()
})

test('offline, or while the portal cannot be reached, the page stays and says so', () => {
  const go = vi.fn()
  leavePage(go)
  expect([go.mock.calls.length, readStayed()]).toEqual([1, false])
  vi.stubGlobal('navigator', { onLine: false })
  expect(isPageHeld()).toBe(true)
  leavePage(go)
  expect([go.mock.calls.length, readStayed()]).toEqual([1, true])
  forgetStays()
  expect(readStayed()).toBe(false)
  vi.stubGlobal('navigator', { onLine: true })
  reportLink('lost')
  leavePage(go)
  expect([go.mock.calls.length, readStayed()]).toEqual([1, true])
})

test('while the page holds a password, leaving asks, and goes only once that is confirmed', () => {
  const go = vi.fn()
  const asked: (() => void)[] = []
  const release = holdPage((leave) => asked.push(leave))
  expect(isPageHeld()).toBe(true)
  leavePage(go)
  expect([asked.length, go.mock.calls.length]).toEqual([1, 0])
  release()
  asked[0]?.()
  expect([isPageHeld(), go.mock.calls.length]).toEqual([false, 1])
})

test('the password of a new site moves from the page of its job to its own page, and is gone once it was copied', () => {
  keepNewSite('job', 'first.example', 'a long secret')
  expect(findNewSite({ siteId: 'site' })).toBeNull()
  nameNewSite('job', 'site')
  expect(findNewSite({ siteId: 'site' })).toMatchObject({ jobId: 'job', password: 'a long secret' })
  forgetNewPassword('job')
  expect(findNewSite({ jobId: 'job' })).toMatchObject({ siteId: 'site', password: null })
  expect(findNewSite({ jobId: 'another' })).toBeNull()
})
