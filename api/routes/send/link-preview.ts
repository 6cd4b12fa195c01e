import type { LinkPreview } from '../../../actors/instance/commands.js'
import { mediaSourceOf } from '../../../schemas/choices/media-source.js'
import type { MediaSource } from '../../../schemas/choices/menu.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { SendTextRequest } from '../../../schemas/generated.js'
import type { LinkPreviews } from '../../ports.js'

const firstUrl = /https?:\/\/[^\s<>"]+/i

/**
 * The preview of the first link in the text, when one is asked for. A page or picture that cannot be fetched costs the preview or its
 * picture, not the text: a warning says so.
 * @throws GatewayError INVALID_REQUEST, URL_NOT_ALLOWED
 */
export async function linkPreviewOf(
  body: SendTextRequest,
  previews: LinkPreviews,
  warnings: string[],
): Promise<LinkPreview | null> {
  if (body.linkPreview !== true) return null
  const image = body.linkPreviewImage === undefined ? null : pictureSource(body.linkPreviewImage)
  const url = firstUrl.exec(body.text)?.[0].replace(/[.,;:!?)\]}'*_~]+$/, '')
  if (url === undefined) {
    warnings.push('linkPreview: the text has no link')
    return null
  }
  const [found, picture] = await Promise.all([
    body.linkPreviewTitle === undefined ? fetched(url, previews, warnings) : null,
    image === null ? null : pictured(image, previews, warnings),
  ])
  if (body.linkPreviewTitle === undefined && found === null) return null
  if (body.linkPreviewLarge === true)
    warnings.push('linkPreviewLarge: large previews are not there yet, it is shown small')
  const thumbnail = image === null ? found?.thumbnail : picture
  return {
    url,
    ...(found?.title === undefined ? {} : { title: found.title }),
    ...(found?.description === undefined ? {} : { description: found.description }),
    ...(thumbnail ? { thumbnail } : {}),
    ...(body.linkPreviewLarge === undefined ? {} : { large: body.linkPreviewLarge }),
  }
}

async function fetched(url: string, previews: LinkPreviews, warnings: string[]): Promise<LinkPreview | null> {
  const preview = await previews.fetch(url).catch(asUnfetched)
  if (preview === undefined) warnings.push('linkPreview: the page could not be fetched, so there is no preview')
  if (preview === null) warnings.push('linkPreview: the page has no title, so there is no preview')
  return preview ?? null
}

async function pictured(image: MediaSource, previews: LinkPreviews, warnings: string[]): Promise<string | null> {
  const picture = await previews.picture(image).catch(asUnfetched)
  // What is in the request itself is the caller's mistake; what lies elsewhere may be right tomorrow.
  if (picture === null && image.from === 'base64') throw invalid('is not a JPEG, PNG, WebP or GIF of at most 5 MiB')
  if (picture === undefined) warnings.push('linkPreviewImage: it could not be fetched, so there is no picture')
  if (picture === null) warnings.push('linkPreviewImage: it leads to no picture, so there is none')
  return picture ?? null
}

function asUnfetched(error: unknown): undefined {
  if (!(error instanceof GatewayError) || error.code !== 'FETCH_FAILED') throw error
}

function pictureSource(given: string): MediaSource {
  const source = mediaSourceOf(given)
  if (source === null) throw invalid('must be a URL (http or https) or base64')
  return source
}

function invalid(why: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: linkPreviewImage ${why}.`,
    details: [{ field: 'linkPreviewImage', why }],
  })
}
