/** Client of the gateway: typed operations, the stream of events, and the check of webhooks. */
export {
  type ClientOptions,
  createPosthorn,
  type EventOptions,
  Posthorn,
  type StoreLoss,
  type StreamReset,
} from './client.js'
export { PosthornError } from './error.js'
export { type EventStream, isKnownEvent } from './event-stream.js'
export * from './generated.js'
export type { CallOptions } from './transport.js'
export { type VerifyOptions, verifyWebhook, verifyWebhookBatch, WebhookError } from './verify-webhook.js'
