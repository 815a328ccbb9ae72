export const TOPICS = [
	'Spring Sale',
	'Wine Festival',
	'Newsletter',
	'Product Launch',
	'Black Friday',
	'Open Day',
	'Summer Menu',
	'Trade Fair',
	'Loyalty Programme',
	'Recruiting',
	'Harvest Fair',
	'Webinar',
	'Easter Market',
	'Student Offer',
	'Press Kit',
	'Winter Catalogue',
	'Referral',
	'Delivery',
] as const;

export const PLACES = [
	'Chișinău',
	'Bălți',
	'Cahul',
	'Orhei',
	'Soroca',
	'Ungheni',
	'Comrat',
	'Hîncești',
] as const;

export const AUDIENCES = ['Retail', 'Partners', 'Press', 'Staff', 'Guests', 'Newcomers'] as const;

export const FILE_KINDS = [
	{ stem: 'price-list', extension: 'pdf' },
	{ stem: 'menu', extension: 'pdf' },
	{ stem: 'floor-plan', extension: 'png' },
	{ stem: 'contract', extension: 'docx' },
	{ stem: 'catalogue', extension: 'pdf' },
	{ stem: 'attendees', extension: 'xlsx' },
	{ stem: 'logo-pack', extension: 'zip' },
	{ stem: 'report', extension: 'csv' },
] as const;

export const COLORS = ['#1A73E8', '#D93025', '#188038', '#F9AB00', '#9334E6', '#12B5CB'] as const;
