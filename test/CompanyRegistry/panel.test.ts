import type { INodePropertyModeValidation } from 'n8n-workflow';

import { idno, optionsWith } from '../../nodes/CompanyRegistry/panel';

const [validation] = idno.modes!.find(({ name }) => name === 'idno')!.validation!;
const { regex } = (validation as INodePropertyModeValidation).properties as { regex: string };

// test/CompanyRegistry/idno.test.ts covers what the node accepts.
it.each([
	['1003600015231', true],
	['MD 1003 6000 15231', true],
	['IDNO: 1003600015231.', true],
	['1003600015231.00', true],
	['1003600015231,0', true],
	['１００３６０００１５２３１', true],
	['100360001523', false],
	['10036000152311', false],
	['Agro Nord SRL', false],
])('the editor accepts %j as an IDNO: %s', (typed, isOne) => {
	expect(new RegExp(regex).test(typed)).toBe(isOne);
});

it('options are in alphabetical order, wherever they come from', () => {
	const own = ['Zone', 'Area'].map((displayName) => ({ ...idno, displayName }));
	const names = (optionsWith(own).options ?? []).map((each) => (each as typeof idno).displayName);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	expect(names).toEqual(expect.arrayContaining(['Area', 'Validate Check Digit', 'Zone']));
});
