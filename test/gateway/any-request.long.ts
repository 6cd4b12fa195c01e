import { describeAnyRequest } from './any-request.js'

describeAnyRequest({ requests: 500, seed: Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31)) })
