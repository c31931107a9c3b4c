using System.Text.Json;
using MgbaBridge.Gateway.Interfaces.CommandLine;

namespace MgbaBridge.Gateway.Tests.Interfaces.CommandLine;

public sealed class DisplayTests
{
    [Theory]
    [InlineData("""{"keys":["A","Start"],"of":[1,2],"none":[]}""", "keys: A, Start\nof: 1, 2\nnone: none\n")]
    [InlineData("""{"lines":["no game file","ended with code 1"]}""", "lines:\n  no game file\n  ended with code 1\n")]
    [InlineData("""{"game":{"title":"A B","code":null}}""", "game:\n  title: A B\n  code: \n")]
    public void Value_ForPeople_HasAListInOneLineAndSentencesOnLinesOfTheirOwn(string json, string expected)
    {
        using var output = new StringWriter { NewLine = "\n" };
        using var document = JsonDocument.Parse(json);
        new Display(output, isTerminal: false, isJson: false).Value(document.RootElement);
        Assert.Equal(expected, output.ToString());
    }
}
