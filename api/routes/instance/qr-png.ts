import { GatewayError } from '../../../schemas/errors.js'
import { drawQrCode } from '../../answers/qr-code.js'
import { Answer, instanceRoute } from '../../route.js'

export const showQrCode = instanceRoute({
  method: 'GET',
  path: '/instance/qr.png',
  name: 'showQrCode',
  area: 'Instance',
  scope: 'token',
  pairs: true,
  summary: 'Show the QR code as a picture, while pairing',
  tokenInQuery: true,
  produces: 'image/png',
  errors: ['NOT_FOUND', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports }) {
    const { qrcodeText, status } = await ports.router.ask(instance.id, { type: 'status' })
    if (qrcodeText === null) {
      throw new GatewayError('NOT_FOUND', {
        message: `There is no QR code at present: the instance is ${status}.`,
        fields: { status },
      })
    }
    return new Answer({ type: 'image/png', body: await drawQrCode(qrcodeText) })
  },
})
