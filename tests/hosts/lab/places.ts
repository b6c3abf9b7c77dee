/** The folders for what the lab keeps between runs: images and downloaded packages. */
import { fileURLToPath } from 'node:url'

export const labFolder = process.env.GATEHOUSE_LAB ?? '/var/tmp/gatehouse-lab'

/** Each host mounts its own disk over this folder, in its own mount namespace, invisible to others. */
export const slotFolder = `${labFolder}/slot`
export const layersFolder = `${labFolder}/layers`
export const packagesFolder = `${labFolder}/packages`

type Script = 'authority.sh' | 'host.sh' | 'image.sh' | 'names.sh'

export const script = (name: Script): string => fileURLToPath(new URL(`./${name}`, import.meta.url))
