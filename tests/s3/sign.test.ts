/** The examples that Amazon publishes in "Signature Calculations for the Authorization Header". */
import { expect, test } from 'vitest'
import { type S3Request, signS3 } from '@/lib/s3/sign'

const signer = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const at = new Date('2013-05-24T00:00:00Z')
const host = 'examplebucket.s3.amazonaws.com'

test.each<[string, Omit<S3Request, 'host'>, string, string]>([
  [
    'reading a part of an object',
    { method: 'GET', path: '/test.txt', headers: { range: 'bytes=0-9' } },
    '/test.txt',
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'writing an object whose name is encoded',
    {
      method: 'PUT',
      path: '/test$file.text',
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: 'Welcome to Amazon S3.',
    },
    '/test%24file.text',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'a query without a value',
    { method: 'GET', path: '/', query: { lifecycle: '' } },
    '/?lifecycle=',
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'listing objects',
    { method: 'GET', path: '/', query: { prefix: 'J', 'max-keys': '2' } },
    '/?max-keys=2&prefix=J',
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
])('%s is signed as Amazon does', (_, request, path, signature) => {
  const signed = signS3({ host, ...request }, signer, at)
  expect(signed.path).toBe(path)
  expect(signed.headers.authorization).toContain(`Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,`)
  expect(signed.headers.authorization).toMatch(new RegExp(`Signature=${signature}$`))
})
