// Before all specs: makes the first account of the product, which is its operator's. One that is there already stays.
import { OPERATOR, PASSWORD } from './support';

export default async function makeOperator(): Promise<void> {
  const url = process.env.REELMILL_URL ?? 'http://127.0.0.1:3000';
  const answer = await fetch(`${url}/api/sign-up`, {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: new URLSearchParams({ email: OPERATOR, password: PASSWORD }),
    redirect: 'manual',
  });
  if (answer.status >= 400) throw new Error(`the operator's account could not be made: ${answer.status} ${await answer.text()}`);
}
