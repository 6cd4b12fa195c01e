import { parsePictureSource } from '../../schemas/choices/media-source.js'
import type { InstanceId } from '../../schemas/ids.js'
import { inUrlField, invalidField } from '../../schemas/invalid-field.js'
import type { LinkPreviews } from '../../schemas/ports/media.js'

// Bound: 1,048,576, a body or header of a request.

/**
 * Returns the picture of a field as a square JPEG in base64; null when the caller asks to remove the picture.
 * @throws GatewayError INVALID_REQUEST, URL_NOT_ALLOWED, FETCH_FAILED
 */
export async function makePortrait(
  image: string,
  owner: InstanceId,
  pictures: LinkPreviews,
  field = 'image',
): Promise<string | null> {
  if (/^(remove|delete)$/i.test(image.trim())) return null
  const source = parsePictureSource(image)
  const jpeg =
    source === null
      ? null
      : await pictures.portrait(source, owner).catch((error: unknown) => {
          throw inUrlField(field, error)
        })
  if (jpeg !== null) return jpeg
  throw invalidField(field, 'must be a JPEG, PNG, WebP or GIF image of at most 5 MiB, as a URL or base64')
}
