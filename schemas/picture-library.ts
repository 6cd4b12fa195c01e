import type { Sharp, SharpOptions } from 'sharp'

/** Opens a picture. */
export type OpenPicture = (source: string | Uint8Array, options: SharpOptions) => Sharp

let library: Promise<OpenPicture> | undefined

/** Loads the library for pictures at its first use: its native parts are a tenth of what a process without instances holds. */
export function pictureLibrary(): Promise<OpenPicture> {
  library ??= import('sharp').then(({ default: sharp }) => {
    // Decoded pictures are not used again: their memory is better given back.
    sharp.cache(false)
    return sharp
  })
  return library
}
