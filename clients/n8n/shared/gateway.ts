import { type IDataObject, type IHttpRequestOptions, type JsonObject, NodeApiError } from 'n8n-workflow'

/** The part of n8n's contexts that calls the gateway. */
interface Caller {
  readonly helpers: {
    readonly httpRequestWithAuthentication: {
      call(context: never, credentials: string, options: IHttpRequestOptions): Promise<unknown>
    }
  }
  getCredentials(name: string): Promise<IDataObject>
  getNode(): unknown
}

export interface Webhook {
  readonly id: string
  readonly url: string
  /** Only in the answer that makes it. */
  readonly secret?: string
}

/** Calls the gateway. @throws NodeApiError with the code and the sentence of the gateway */
export async function ask<Reply>(
  context: Caller,
  method: 'GET' | 'POST',
  path: string,
  body?: IDataObject,
  headers: IDataObject = {},
): Promise<Reply> {
  const { url } = await context.getCredentials('posthornApi')
  const options: IHttpRequestOptions = {
    method,
    url: String(url).replace(/\/+$/, '') + path,
    headers,
    json: true,
    ...(body === undefined ? {} : { body }),
  }
  try {
    const answer = context.helpers.httpRequestWithAuthentication.call(context as never, 'posthornApi', options)
    return (await answer) as Reply
  } catch (error) {
    throw new NodeApiError(context.getNode() as never, error as JsonObject as never)
  }
}

/** Makes a webhook beside those that there are. */
export async function addWebhook(
  context: Caller,
  url: string,
  events: readonly string[],
  more: IDataObject = {},
): Promise<Webhook> {
  const body = { ...more, action: 'add', enabled: true, url, events }
  const made = (await ask<Webhook[]>(context, 'POST', '/webhook', body)).find((one) => one.url === url && one.secret)
  if (made === undefined) throw new Error('The gateway did not answer with the webhook that it made.')
  return made
}

export async function listWebhooks(context: Caller): Promise<Webhook[]> {
  return await ask<Webhook[]>(context, 'GET', '/webhook')
}

export async function deleteWebhook(context: Caller, id: string): Promise<void> {
  await ask(context, 'POST', '/webhook', { action: 'delete', id })
}
