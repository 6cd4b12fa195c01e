/** Makes the OpenAPI document in a thread, so that no other work of the node waits for it, and none of its garbage is the node's. */
import { parentPort } from 'node:worker_threads'
import { loadSchemas } from '../schemas/schema-registry.js'
import { textForms } from './answers/encoded-text.js'
import { openApiDocument } from './openapi.js'
import { routes } from './routes.js'

parentPort?.postMessage(textForms(JSON.stringify(openApiDocument(routes, loadSchemas()))))
