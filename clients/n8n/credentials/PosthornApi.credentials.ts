import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow'

export class PosthornApi implements ICredentialType {
  name = 'posthornApi'
  displayName = 'Posthorn API'
  icon = { light: 'file:../icons/posthorn.svg', dark: 'file:../icons/posthorn.dark.svg' } as const
  documentationUrl = 'https://posthorn.example/n8n'
  properties: INodeProperties[] = [
    {
      displayName: 'URL',
      name: 'url',
      type: 'string',
      default: '',
      placeholder: 'https://gateway.example',
      description: 'Address of the gateway, without a path',
      required: true,
    },
    {
      displayName: 'Token',
      name: 'token',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'Token of the instance, or one of its keys. The trigger and send-and-wait need the token itself.',
      required: true,
    },
  ]
  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { token: '={{$credentials.token}}' } },
  }
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}', url: '/instance/status' },
  }
}
