import { onAbort } from '../../../nodes/shared/http/abort';

describe('waiting for a signal', () => {
	it('runs all callbacks once, through one listener', () => {
		const controller = new AbortController();
		const listen = jest.spyOn(controller.signal, 'addEventListener');
		const called: number[] = [];
		for (let waiting = 0; waiting < 50; waiting++) {
			onAbort(controller.signal, () => called.push(waiting));
		}
		controller.abort();
		controller.abort();
		expect(called).toEqual(Array.from({ length: 50 }, (_, index) => index));
		expect(listen).toHaveBeenCalledTimes(1);
	});

	it('can be stopped', () => {
		const controller = new AbortController();
		const [stays, leaves] = [jest.fn(), jest.fn()];
		onAbort(controller.signal, stays);
		onAbort(controller.signal, leaves)();
		controller.abort();
		expect(stays).toHaveBeenCalledTimes(1);
		expect(leaves).not.toHaveBeenCalled();
	});

	it('distinguishes signals', () => {
		const [one, other] = [new AbortController(), new AbortController()];
		const called = jest.fn();
		onAbort(one.signal, called);
		other.abort();
		expect(called).not.toHaveBeenCalled();
	});
});
