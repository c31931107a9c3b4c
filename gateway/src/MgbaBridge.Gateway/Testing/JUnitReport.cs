using System.Globalization;
using System.Text;
using System.Xml;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Outcomes as JUnit XML, which CI systems read.</summary>
internal static class JUnitReport
{
    /// <summary>Writes a report.</summary>
    public static void Write(Stream output, IReadOnlyList<TestOutcome> outcomes)
    {
        using var xml = XmlWriter.Create(output, new XmlWriterSettings { Indent = true, Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false) });
        xml.WriteStartElement("testsuites");
        WriteCounts(xml, outcomes);
        foreach (var file in outcomes.GroupBy(static outcome => outcome.Test.Path))
        {
            xml.WriteStartElement("testsuite");
            xml.WriteAttributeString("name", Plain(file.Key));
            WriteCounts(xml, [.. file]);
            foreach (var outcome in file)
            {
                Write(xml, outcome);
            }

            xml.WriteEndElement();
        }

        xml.WriteEndElement();
    }

    private static void Write(XmlWriter xml, TestOutcome outcome)
    {
        xml.WriteStartElement("testcase");
        xml.WriteAttributeString("classname", Plain(outcome.Test.Path));
        xml.WriteAttributeString("name", Plain(outcome.Test.Name));
        xml.WriteAttributeString("file", Plain(outcome.Test.File));
        xml.WriteAttributeString("line", outcome.Test.Line.ToString(CultureInfo.InvariantCulture));
        xml.WriteAttributeString("time", Seconds(outcome.Time));
        if (outcome.Test.Rule is { } rule)
        {
            xml.WriteStartElement("properties");
            xml.WriteStartElement("property");
            xml.WriteAttributeString("name", "rule");
            xml.WriteAttributeString("value", rule);
            xml.WriteEndElement();
            xml.WriteEndElement();
        }

        if (outcome.Failure is { } failure)
        {
            xml.WriteStartElement("failure");
            xml.WriteAttributeString("message", Plain(failure.Reason));
            xml.WriteString(Plain($"{outcome.Test.File}:{failure}"));
            xml.WriteEndElement();
        }
        else if (outcome.Skipped is { } skipped)
        {
            xml.WriteStartElement("skipped");
            xml.WriteAttributeString("message", Plain(skipped));
            xml.WriteEndElement();
        }

        xml.WriteEndElement();
    }

    private static void WriteCounts(XmlWriter xml, IReadOnlyList<TestOutcome> outcomes)
    {
        xml.WriteAttributeString("tests", outcomes.Count.ToString(CultureInfo.InvariantCulture));
        xml.WriteAttributeString("failures", outcomes.Count(static outcome => outcome.Failure is not null).ToString(CultureInfo.InvariantCulture));
        xml.WriteAttributeString("skipped", outcomes.Count(static outcome => outcome.Skipped is not null).ToString(CultureInfo.InvariantCulture));
        xml.WriteAttributeString("time", Seconds(TimeSpan.FromTicks(outcomes.Sum(static outcome => outcome.Time.Ticks))));
    }

    private static string Seconds(TimeSpan time) => time.TotalSeconds.ToString("0.000", CultureInfo.InvariantCulture);

    // XML has no control characters
    private static string Plain(string text) => string.Concat(text.Select(static letter => XmlConvert.IsXmlChar(letter) ? letter : '\uFFFD'));
}
