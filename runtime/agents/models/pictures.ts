/** Brings pictures to a size that every provider takes. One that cannot be read is left out: it would fail each later turn too. */

import { pictureLibrary } from '../../../schemas/picture-library.js'
import type { SharedWork } from '../../work/work.js'

/** Larger ones are scaled down by the providers, and cost more. */
const SIDE_MAX_PX = 1_568
const PIXELS_MAX = 50_000_000
const INPUT_MAX_BYTES = 32 * 1024 * 1024
const TIMEOUT_SECONDS = 20

/** Returns a picture that every provider takes; undefined for what cannot be read. Waits for the turn of its instance. */
export type SmallPictures = (instance: string, bytes: Uint8Array) => Promise<Uint8Array | undefined>

export function createSmallPictures(work: Pick<SharedWork, 'run'>): SmallPictures {
  return (instance, bytes) => work.run('picture', instance, () => smallPicture(bytes))
}

/** Returns a JPEG, or undefined if it cannot be read as a picture. */
async function smallPicture(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (bytes.length === 0 || bytes.length > INPUT_MAX_BYTES) return undefined
  try {
    const picture = await pictureLibrary()
    return await picture(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true })
      .rotate()
      .resize(SIDE_MAX_PX, SIDE_MAX_PX, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 85 })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer()
  } catch {
    return undefined
  }
}
