using MgbaBridge.Fleet.Registry;
using Npgsql;

namespace MgbaBridge.Gateway.Tests.Fleet;

public sealed class DatabaseRefusalTests
{
    [Theory]
    [InlineData(PostgresErrorCodes.InvalidAuthorizationSpecification, FleetProblem.WrongDatabase, "this program runs as ")]
    [InlineData(PostgresErrorCodes.InvalidPassword, FleetProblem.WrongDatabase, "so. Correct Bridge:Fleet:Database; for jobs of an engine, Bridge:Fleet:HostDatabase of the gateway.")]
    [InlineData(PostgresErrorCodes.DiskFull, FleetProblem.Unavailable, "Free space there")]
    [InlineData(PostgresErrorCodes.SyntaxError, FleetProblem.Unavailable, "failed: 42601 so.")]
    public void Refusal_OfTheDatabase_SaysWhatToDo(string sqlState, FleetProblem problem, string expected)
    {
        var translated = FleetDatabase.Translate(new PostgresException("so", "FATAL", "FATAL", sqlState));
        Assert.Equal(problem, translated.Problem);
        Assert.Contains(expected, translated.Message, StringComparison.Ordinal);
    }
}
