import { GatewayError } from '../../schemas/errors.js'
import type { Storage } from './storage.js'

/** A node without a storage: files are given as they are fetched from the network, and none can be sent. */
export const noStorage: Storage = {
  put: () => Promise.reject(none()),
  read: () => Promise.reject(none()),
  delete: async () => {},
  close() {},
}

function none(): GatewayError {
  return new GatewayError('MEDIA_STORAGE_UNAVAILABLE', {
    message: 'This server stores no files (MEDIA_STORAGE is none), so it cannot send them; nothing was accepted.',
  })
}
