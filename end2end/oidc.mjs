// An OpenID provider for the browser tests: whoever writes a name into its form is that person, with that name as email address.
// Started beside the product: node oidc.mjs PORT CALLBACK
import Provider from 'oidc-provider';

const [port, callback] = process.argv.slice(2);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: 'reelmill', client_secret: process.env.REELMILL_OIDC_CLIENT_SECRET, redirect_uris: [callback] }],
  claims: { email: ['email', 'email_verified'], profile: ['name'] },
  findAccount: (_, id) => ({
    accountId: id,
    // One whose name begins so has an address that nobody has looked after.
    claims: () => ({ sub: id, email: id, email_verified: !id.startsWith('unconfirmed') }),
  }),
  cookies: { keys: ['a key of the tests'] },
});

provider.listen(Number(port), '127.0.0.1', () => console.error(`an OpenID provider listens on 127.0.0.1:${port}`));
