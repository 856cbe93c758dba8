/** Three documents of a small maker of projectors, each of several pages as a person would paste them. */
const repeatParagraph = (count: number, paragraph: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => paragraph(index + 1)).join('\n\n')

export const manual = {
  name: 'EQ-200 service manual',
  text: `# EQ-200 service manual

The EQ-200 is a stage projector with a discharge lamp of 575 watts. This manual is for trained staff.

## Error E-17

Error E-17 means that the lamp-hour counter has passed its limit, or that the lamp seat switch is open. After a lamp change the cause is nearly always the seat: the gap between seat and collar must stay below 0.35 mm at each of the three marked points.

Let the lamp house cool for 30 minutes before you measure. A warm seat reads up to 0.08 mm too small.

If the gap is above 0.35 mm, turn the collar by one notch and measure again. One notch changes the gap by about 0.06 mm. At the last notch order a new seat, part 88-2041-B.

## Resetting the counter

Write the serial number of the new lamp into the controller and send reset_hours. The display shows LMP 0000 when the counter has been reset.

## Interlock

The interlock voltage at connector J3 lies between 4.8 V and 5.2 V with the cover closed. A lower voltage means a worn cover switch.

## Maintenance steps

${repeatParagraph(30, (step) => `Step ${step} of the yearly maintenance: clean fan filter number ${step}, check the screws of bracket ${step} with a torque of ${10 + step} newton centimetres, and note the result in line ${step} of the service book.`)}`,
}

export const warranty = {
  name: 'Returns and warranty',
  text: `# Returns and warranty

Terms for devices that were sold after 1 January 2021.

## Returning a device

A device can be returned within 45 days of delivery when it is complete and in its original box. Demo units can be returned within 14 days.

## Warranty

The warranty lasts 36 months for projectors and 12 months for lamps. A repair by a third party does not end the warranty, but faults caused by that repair are not covered.

## Shipping of lamps

Discharge lamps travel by road only. Air freight refuses them because of the pressure in the bulb.

## Price of a repair

The first inspection costs 49 euros and is credited against the repair. A new seat with its fitting costs 128 euros.

## Regional contacts

${repeatParagraph(30, (desk) => `Service desk ${desk} answers on weekdays from 8 to 17 o’clock. It keeps spare parts of group ${desk} in stock and ships them within ${1 + (desk % 4)} working days.`)}`,
}

export const calibration = {
  name: 'EQ 系列校准手册',
  text: `# EQ 系列校准手册

本手册说明 EQ 系列投影机的校准周期、合格证与冷机检查。

## 校准周期

EQ-100 每十二个月校准一次，EQ-200 每六个月校准一次。更换灯泡之后必须立即重新校准。

## 冷机检查

校准前设备必须在室温下静置两小时。灯座间隙应小于 0.35 毫米，冷反射镜卡扣必须在两侧都发出清脆的咔嗒声。

## 合格证

校准合格后颁发蓝色合格证，有效期为一年。合格证编号由年份、机型和六位流水号组成。

## 记录

${repeatParagraph(30, (row) => `第 ${row} 项记录：检查第 ${row} 号光路的亮度与色温，测量三次并取平均值，将结果写入记录表的第 ${row} 行，由两名技术人员签字确认。`)}`,
}

/** A question, the document that answers it, and a word that the answer must hold. */
export const questions = [
  { ask: 'What gap is allowed at the lamp seat after error E-17?', document: manual.name, word: '0.35' },
  { ask: 'Which part do I order at the last notch?', document: manual.name, word: '88-2041-B' },
  { ask: 'How many days do I have to return a demo unit?', document: warranty.name, word: '14' },
  { ask: 'How long is the warranty for projectors?', document: warranty.name, word: '36' },
  { ask: 'EQ-200 多久校准一次？', document: calibration.name, word: '六个月' },
]
