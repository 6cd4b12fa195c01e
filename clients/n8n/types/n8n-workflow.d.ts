/**
 * Declares the part of n8n's types that these nodes use. n8n itself brings `n8n-workflow`; to install it here would bring 150 packages for a
 * few types. The long test compiles the nodes against the real ones.
 */
declare module 'n8n-workflow' {
  type IDataObject = Record<string, unknown>
  type JsonObject = Record<string, unknown>

  interface IHttpRequestOptions {
    method?: 'GET' | 'POST' | 'DELETE'
    url: string
    baseURL?: string
    body?: unknown
    qs?: IDataObject
    headers?: IDataObject
    json?: boolean
  }

  interface INodeProperties {
    displayName: string
    name: string
    type: string
    default: unknown
    [more: string]: unknown
  }

  interface INodePropertyOptions {
    name: string
    value: string
  }

  interface INodeTypeDescription {
    displayName: string
    name: string
    properties: INodeProperties[]
    [more: string]: unknown
  }

  interface INodeExecutionData {
    json: IDataObject
    pairedItem?: { item: number }
  }

  interface IWebhookResponseData {
    workflowData?: INodeExecutionData[][]
    webhookResponse?: unknown
    noWebhookResponse?: boolean
  }

  interface Helpers {
    httpRequestWithAuthentication: {
      call(context: unknown, credentials: string, options: IHttpRequestOptions): Promise<unknown>
    }
    returnJsonArray(data: IDataObject | IDataObject[]): INodeExecutionData[]
  }

  interface Functions {
    readonly helpers: Helpers
    getCredentials(name: string): Promise<IDataObject>
    getNode(): unknown
  }

  interface IHookFunctions extends Functions {
    getNodeParameter(name: string, fallback?: unknown): unknown
    getNodeWebhookUrl(name: string): string | undefined
    getWorkflowStaticData(type: string): IDataObject
  }

  interface WebhookRequest {
    readonly rawBody?: Buffer
    readonly headers: Record<string, string | string[] | undefined>
    readRawBody?(): Promise<void>
  }

  interface WebhookResponse {
    status(code: number): { json(body: unknown): void }
  }

  interface IWebhookFunctions extends Functions {
    getNodeParameter(name: string, fallback?: unknown): unknown
    getRequestObject(): WebhookRequest
    getResponseObject(): WebhookResponse
    getQueryData(): unknown
    getWorkflowStaticData(type: string): IDataObject
  }

  interface IExecuteFunctions extends Functions {
    getInputData(): INodeExecutionData[]
    getNodeParameter(name: string, item: number, fallback?: unknown): unknown
    evaluateExpression(expression: string, item: number): unknown
    putExecutionToWait(until: Date): Promise<void>
  }

  interface INodeType {
    description: INodeTypeDescription
    execute?(this: IExecuteFunctions): Promise<INodeExecutionData[][]>
    webhook?(this: IWebhookFunctions): Promise<IWebhookResponseData>
    webhookMethods?: Record<string, Record<string, (this: IHookFunctions) => Promise<boolean>>>
  }

  interface IAuthenticateGeneric {
    type: 'generic'
    properties: IDataObject
  }

  interface ICredentialTestRequest {
    request: IHttpRequestOptions
  }

  interface ICredentialType {
    name: string
    displayName: string
    properties: INodeProperties[]
    authenticate?: IAuthenticateGeneric
    test?: ICredentialTestRequest
  }

  const NodeConnectionTypes: { readonly Main: 'main' }

  class NodeApiError extends Error {
    constructor(node: unknown, error: JsonObject, options?: { message?: string; description?: string })
  }

  class NodeOperationError extends Error {
    constructor(node: unknown, error: Error | string, options?: { itemIndex?: number; description?: string })
  }
}
