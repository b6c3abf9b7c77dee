/** Where releases are installed: ROOT/releases/VERSION, and ROOT/current, a symbolic link to the one that starts. */
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from './write-safely'

export type Installation = {
  root: string
  /** Holds a folder for each version. */
  releases: string
  /** The link to the release that starts. */
  current: string
  /** While an upgrade or a rollback is under way, the link to the release that can undo it. The script of each release looks for it. */
  undo: string
}

/** What release.json says; `programs` is a folder within the release. */
export type Release = { version: string; commit: string; node: string; programs: string; build: string }

/** Nothing was changed, or what was changed was undone; the message is for the administrator. */
export class UpgradeError extends Error {}

const notInstalled = (folder: string) =>
  new UpgradeError(
    `The release in ${folder} is not installed where it can be upgraded: put it into ROOT/releases/VERSION and make ROOT/current a symbolic link to it. docs/running.md shows how.`,
  )

/** Throws UpgradeError unless the release, given as its folder, is in such a place. */
export function findInstallation(release: string): Installation {
  const releases = dirname(realpathSync(release))
  const root = dirname(releases)
  const installation = { root, releases, current: join(root, 'current'), undo: join(root, 'undo') }
  if (basename(releases) !== 'releases' || !isLink(installation.current)) throw notInstalled(release)
  return installation
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false

export const folderOf = ({ releases }: Installation, version: string): string => join(releases, version)

/** The version that `current` leads to. */
export const readCurrent = ({ current }: Installation): string => basename(readlinkSync(current))

/** Throws if the folder has no release.json. */
export const readRelease = (folder: string): Release => JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8'))

/** Makes `current` lead to that version, in one step: at each moment it leads to a whole release. */
export const switchTo = (installation: Installation, version: string): void => replaceLink(installation.current, join('releases', version))

/** Names the release that undoes what is under way. */
export const setUndo = ({ undo }: Installation, version: string): void => replaceLink(undo, join('releases', version))

function replaceLink(link: string, target: string): void {
  const made = `${link}.new`
  rmSync(made, { force: true })
  symlinkSync(target, made)
  renameSync(made, link)
  syncFolder(dirname(link))
}

/** The installed versions, newest first by the time of their installation. */
export function listReleases({ releases }: Installation): string[] {
  const installedAt = (version: string) => statSync(join(releases, version)).ctimeMs
  return readdirSync(releases)
    .filter((name) => !name.startsWith('.'))
    .sort((one, other) => installedAt(other) - installedAt(one))
}
