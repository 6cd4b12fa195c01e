import type { RotateAdminTokenReply, RotateAdminTokenRequest } from '../../../schemas/generated.js'
import { adminRoute } from '../../route.js'

export const rotateAdminToken = adminRoute<RotateAdminTokenRequest>({
  method: 'POST',
  path: '/admin/token/rotate',
  name: 'rotateAdminToken',
  area: 'Administration',
  summary: "Make another administrator's token and end all others, ADMIN_TOKEN too, on every node",
  refusesPass: true,
  schema: 'admin/token-rotate.json',
  errors: [],
  async handle({ body: { graceSeconds = 0 } }, { ports }): Promise<RotateAdminTokenReply> {
    const { token, othersEnd } = await ports.adminTokens.rotate(graceSeconds * 1_000)
    return {
      success: true,
      message: 'Keep the token: it is not told again. If it is lost, start the nodes with another ADMIN_TOKEN.',
      admin_token: token,
      former_end: othersEnd.toISOString(),
      timestamp: new Date().toISOString(),
    }
  },
})
