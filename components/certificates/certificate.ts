// The certificate library's container needs the metadata polyfill to be loaded before it.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

// Node has the primitives but cannot issue a certificate; the library does, on top of Node's own WebCrypto.
x509.cryptoProvider.set(webcrypto);

const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING = { ...KEY_ALGORITHM, hash: 'SHA-256' } as const;

/** Clocks of nodes differ a little: some would refuse a certificate that is valid only from now on. */
const BACKDATE_MS = 5 * 60_000;

/** A certificate with its private key, both PEM. */
export interface KeyPairPem {
  readonly cert: string;
  readonly key: string;
}

/** Who a certificate is for and what it may be used as. */
export interface LeafRequest {
  readonly commonName: string;
  /** Becomes the groups of a Kubernetes client. */
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly usages: readonly ('server' | 'client')[];
  readonly days: number;
  readonly now?: Date;
}

/** A self-signed certificate authority that can sign leaves but no further authority. */
export async function issueCa(request: { commonName: string; days: number; now?: Date }): Promise<KeyPairPem> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: distinguishedName(request.commonName, []),
    keys,
    signingAlgorithm: SIGNING,
    ...validity(request.days, request.now),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: pem(certificate), key: await keyPem(keys.privateKey) };
}

/** A certificate for a server or a client, signed by the authority. */
export async function issueLeaf(ca: KeyPairPem, request: LeafRequest): Promise<KeyPairPem> {
  const keys = await generateKeys();
  const issuer = new x509.X509Certificate(ca.cert);
  const names: x509.JsonGeneralNames = [
    ...(request.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(request.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
  ];
  const certificate = await x509.X509CertificateGenerator.create({
    subject: distinguishedName(request.commonName, request.organizations ?? []),
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await importKey(ca.key),
    signingAlgorithm: SIGNING,
    ...validity(request.days, request.now),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(request.usages.map((usage) => EXTENDED_USAGE[usage])),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)]),
    ],
  });
  return { cert: pem(certificate), key: await keyPem(keys.privateKey) };
}

const EXTENDED_USAGE = {
  server: x509.ExtendedKeyUsage.serverAuth,
  client: x509.ExtendedKeyUsage.clientAuth,
} as const;

function validity(days: number, now = new Date()): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - BACKDATE_MS),
    notAfter: new Date(now.getTime() + days * 24 * 3600_000),
  };
}

function distinguishedName(commonName: string, organizations: readonly string[]): x509.JsonName {
  return [{ CN: [commonName] }, ...organizations.map((organization) => ({ O: [organization] }))];
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
}

async function importKey(key: string): Promise<webcrypto.CryptoKey> {
  const der = x509.PemConverter.decodeFirst(key);
  return webcrypto.subtle.importKey('pkcs8', der, KEY_ALGORITHM, false, ['sign']);
}

async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = await webcrypto.subtle.exportKey('pkcs8', key);
  return `${x509.PemConverter.encode(der, 'PRIVATE KEY')}\n`;
}

function pem(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}
