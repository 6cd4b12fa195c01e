import type { LinkPreview } from '../../../actors/instance/commands.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { SendTextRequest } from '../../../schemas/generated.js'
import type { LinkPreviews } from '../../ports.js'

const firstUrl = /https?:\/\/[^\s<>"]+/i

/**
 * The preview of the first link in the text, when one is asked for. A page that cannot be fetched costs the preview, not the
 * text: a warning says so.
 * @throws GatewayError URL_NOT_ALLOWED
 */
export async function linkPreviewOf(
  body: SendTextRequest,
  previews: LinkPreviews,
  warnings: string[],
): Promise<LinkPreview | null> {
  if (body.linkPreview !== true) return null
  const url = firstUrl.exec(body.text)?.[0].replace(/[.,;:!?)\]}'*_~]+$/, '')
  if (url === undefined) {
    warnings.push('linkPreview: the text has no link')
    return null
  }
  if (body.linkPreviewImage !== undefined) warnings.push('linkPreviewImage: not supported yet, ignored')
  const found = body.linkPreviewTitle === undefined ? await fetched(url, previews, warnings) : null
  if (body.linkPreviewTitle === undefined && found === null) return null
  return {
    url,
    ...(found?.title === undefined ? {} : { title: found.title }),
    ...(found?.description === undefined ? {} : { description: found.description }),
    ...(found?.thumbnail === undefined ? {} : { thumbnail: found.thumbnail }),
    ...(body.linkPreviewLarge === undefined ? {} : { large: body.linkPreviewLarge }),
  }
}

async function fetched(url: string, previews: LinkPreviews, warnings: string[]): Promise<LinkPreview | null> {
  try {
    const preview = await previews.fetch(url)
    if (preview === null) warnings.push('linkPreview: the page has no title, so there is no preview')
    return preview
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'FETCH_FAILED') throw error
    warnings.push('linkPreview: the page could not be fetched, so there is no preview')
    return null
  }
}
