import { describeAnyRequest } from './any-request.js'

describeAnyRequest({ requests: 30, seed: Number(process.env.SEED ?? 1) })
