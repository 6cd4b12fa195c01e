import { parsePictureSource } from '../../../schemas/choices/media-source.js'
import type { PictureSource } from '../../../schemas/choices/menu.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { SendTextReply, SendTextRequest } from '../../../schemas/generated.js'
import type { MessageId } from '../../../schemas/ids.js'
import { inUrlField, invalidField } from '../../../schemas/invalid-field.js'
import type { LinkPreviews, PagePreview } from '../../../schemas/ports/media.js'
import type { LinkPreview, TextContent } from '../../../schemas/send-content.js'
import { type Context, instanceRoute } from '../../route.js'
import { askSendAs, messageIdFor } from './ask.js'
import { type FilesCall, isAnswered, withFiles, withGiven } from './files.js'
import { checkAddresses, leavesLater, sendErrors, sendReply } from './options.js'

// Bound: 1,048,576, a body or header of a request.
const firstUrl = /https?:\/\/[^\s<>"]+/i

/**
 * Returns the preview of the first link in the text, when the body wants one. If a page or picture cannot be fetched, the text goes without
 * the preview or its picture, and a warning says so.
 * @throws GatewayError INVALID_REQUEST, URL_NOT_ALLOWED
 */
export async function makeLinkPreview(
  body: SendTextRequest,
  previews: LinkPreviews,
  warnings: string[],
): Promise<FoundPreview | null> {
  if (body.linkPreview !== true) return null
  const image = body.linkPreviewImage === undefined ? null : pictureSource(body.linkPreviewImage)
  const link = firstUrl.exec(body.text)?.[0]
  if (link === undefined) {
    warnings.push('linkPreview: the text has no link')
    return null
  }
  const url = withoutEnding(link)
  const [found, picture] = await Promise.all([
    body.linkPreviewTitle === undefined ? fetched(url, previews, warnings) : null,
    image === null ? null : pictured(image, previews, warnings),
  ])
  if (body.linkPreviewTitle === undefined && found === null) return null
  const thumbnail = image === null ? found?.thumbnail : picture
  const preview = {
    url,
    ...(found?.title === undefined ? {} : { title: found.title }),
    ...(found?.description === undefined ? {} : { description: found.description }),
    ...(thumbnail ? { thumbnail } : {}),
  }
  return { preview, source: thumbnail ? (image ?? findSource(found)) : null }
}

/** Preview, with the source of its picture. */
interface FoundPreview {
  readonly preview: LinkPreview
  /** Null when it has no picture. */
  readonly source: PictureSource | null
}

type TextCall = FilesCall & { readonly body: SendTextRequest }

/** Adds the large picture to a preview when the body wants it. If the picture cannot be fetched, a warning says so. */
async function enlarged(
  { preview, source }: FoundPreview,
  call: TextCall,
  messageid: MessageId,
  context: Context,
): Promise<LinkPreview> {
  const { body, instance, files, warnings } = call
  if (body.linkPreviewLarge !== true || (await isAnswered(call, context))) return preview
  if (source === null) {
    warnings.push('linkPreviewLarge: there is no picture')
    return preview
  }
  const asked = { instance: instance.id, messageid, kind: 'preview', durable: leavesLater(body) } as const
  try {
    const take = context.ports.media.take
    return {
      ...preview,
      picture: await withGiven(source, 'linkPreviewImage', files, context, (file) => take({ ...asked, file })),
    }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    warnings.push(`linkPreviewLarge: the preview is shown small. ${error.message}`)
    return preview
  }
}

function findSource(page: PagePreview | null): PictureSource | null {
  return page?.image === undefined ? null : { from: 'url', url: page.image }
}

/** Removes the signs that end a sentence. A pattern would start again at each of them, which takes seconds in a long text of dots. */
function withoutEnding(link: string): string {
  let end = link.length
  while (".,;:!?)]}'*_~".includes(link.charAt(end - 1))) end -= 1
  return link.slice(0, end)
}

async function fetched(url: string, previews: LinkPreviews, warnings: string[]): Promise<PagePreview | null> {
  const preview = await previews.fetch(url).catch(asUnfetched('text'))
  if (preview === undefined) warnings.push('linkPreview: the page could not be fetched, so there is no preview')
  if (preview === null) warnings.push('linkPreview: the page has no title, so there is no preview')
  return preview ?? null
}

async function pictured(image: PictureSource, previews: LinkPreviews, warnings: string[]): Promise<string | null> {
  const picture = await previews.picture(image).catch(asUnfetched('linkPreviewImage'))
  // A mistake in the request is the caller's. A mistake elsewhere may be gone tomorrow.
  if (picture === null && image.from === 'base64')
    throw invalidField('linkPreviewImage', 'is not a JPEG, PNG, WebP or GIF of at most 5 MiB')
  if (picture === undefined) warnings.push('linkPreviewImage: it could not be fetched, so there is no picture')
  if (picture === null) warnings.push('linkPreviewImage: it leads to no picture, so there is none')
  return picture ?? null
}

/** Returns a function that takes an error of a fetch as no result. It throws other errors, with the field of the URL. */
function asUnfetched(field: string): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof GatewayError) || error.code !== 'FETCH_FAILED') throw inUrlField(field, error)
    return undefined
  }
}

function pictureSource(given: string): PictureSource {
  const source = parsePictureSource(given)
  if (source === null) throw invalidField('linkPreviewImage', 'must be a URL (http or https) or base64')
  return source
}

export const sendText = instanceRoute<SendTextRequest>({
  method: 'POST',
  path: '/send/text',
  name: 'sendText',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send a text',
  schema: 'send/text.json',
  idempotent: true,
  errors: [...sendErrors, 'URL_NOT_ALLOWED'],
  async handle(call, context): Promise<SendTextReply> {
    const { ports } = context
    // Checks the addresses before it fetches a page.
    checkAddresses(call.body)
    const messageid = messageIdFor(call, ports)
    const content = await makeTextContent(call, messageid, context)
    const files = content.linkPreview?.picture === undefined ? [] : [content.linkPreview.picture]
    return sendReply(await withFiles(files, messageid, context, () => askSendAs(messageid, call, content, ports)))
  },
})

/** Makes the content of a text, with the preview of its link if the body wants one. @throws GatewayError INVALID_REQUEST, URL_NOT_ALLOWED */
export async function makeTextContent(
  call: FilesCall & { readonly body: SendTextRequest },
  messageid: MessageId,
  context: Context,
): Promise<TextContent> {
  const { body, warnings, instance } = call
  const { linkPreviews } = context.ports
  const own: LinkPreviews = {
    fetch: (url) => linkPreviews.fetch(url, instance.id),
    picture: (source) => linkPreviews.picture(source, instance.id),
    portrait: (source) => linkPreviews.portrait(source, instance.id),
  }
  const found = await makeLinkPreview(body, own, warnings)
  const linkPreview = found === null ? null : await enlarged(found, call, messageid, context)
  return { kind: 'text', text: body.text, ...(linkPreview === null ? {} : previewed(linkPreview, body)) }
}

function previewed(linkPreview: LinkPreview, { linkPreviewTitle, linkPreviewDescription }: SendTextRequest) {
  return {
    linkPreview,
    ...(linkPreviewTitle === undefined ? {} : { previewTitle: linkPreviewTitle }),
    ...(linkPreviewDescription === undefined ? {} : { previewDescription: linkPreviewDescription }),
  }
}
