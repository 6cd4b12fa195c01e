import type { FileLinks } from '../media/links.js'
import type { EventOrigin } from '../store/events.js'

/** The address under which callers reach this installation, and the links to files below it. */
export interface Origin extends EventOrigin {
  /** Uses this address unless PUBLIC_URL is set. */
  setDefault(url: string): void
}

/**
 * Creates the origin. Its address is empty until `setDefault` is called, unless PUBLIC_URL is set.
 * @param publicUrl PUBLIC_URL
 */
export function createOrigin(links: FileLinks, publicUrl: string | undefined): Origin {
  let address = publicUrl ?? ''
  return {
    url: () => address,
    fileUrl(instance, record, fromMs) {
      const path = links.pathOfRecord(instance, record, fromMs)
      return path === '' ? '' : `${address}${path}`
    },
    setDefault(url) {
      if (address === '') address = url
    },
  }
}
