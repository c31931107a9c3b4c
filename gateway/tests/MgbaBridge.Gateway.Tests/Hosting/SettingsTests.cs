using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.Configuration;

namespace MgbaBridge.Gateway.Tests.Hosting;

public sealed class SettingsTests
{
    [Theory]
    [InlineData("--Bridge:Nope=1", "Bridge:Nope")]
    [InlineData("--Bridge:Transport:SilenceTimout=00:00:01", "Did you mean Bridge:Transport:SilenceTimeout?")]
    [InlineData("--Bridge:Emulators:0:Prot=1", "Bridge:Emulators:0:Prot")]
    [InlineData("--Bridge:Http:Plain=true", "Bridge:Http:Plain")]
    [InlineData("--Bridge:Http:MaxConnections=15", "MaxConnections")]
    [InlineData("--Bridge:Http:MaxConnections=1000001", "MaxConnections")]
    [InlineData("--Bridge:Transport:SilenceTimeout=soon", "SilenceTimeout")]
    [InlineData("--Bridge:Transport:SilenceTimeout=00:00:00", "SilenceTimeout")]
    [InlineData("--Bridge:Transport:MaxConnections=1", "There is no setting Bridge:Transport:MaxConnections. Did you mean Bridge:")]
    [InlineData("--Bridge:Http:MaxUnread=33554432", "Bridge:Http:MaxUnread is 33554432; expected 48 MiB..64 GiB.")]
    [InlineData("--Bridge:Http:MaxUnreadPerCaller=33554432", "There is no setting Bridge:Http:MaxUnreadPerCaller. Did you mean Bridge:Http:MaxStreamsPerCaller?")]
    [InlineData("--Bridge:HttpPort=70000", "HttpPort")]
    [InlineData("--Bridge:Fleet:SlurmArguments:0=--comment=lab", "Bridge:Fleet:SlurmArguments has \"--comment=lab\"; the gateway knows its jobs by --array, --comment and --job-name: leave them out.")]
    [InlineData("--Bridge:Fleet:SlurmArguments:0={owner}", "Bridge:Fleet:SlurmArguments has \"{owner}\"; {owner} is part of a value")]
    [InlineData("--Bridge:Fleet:SlurmOwnerArguments:0=--qos=low", "Bridge:Fleet:SlurmOwnerArguments has \"--qos=low\"; expected an owner and an argument")]
    [InlineData("--Bridge:Fleet:SlurmComment=two\nlines", "Bridge:Fleet:SlurmComment")]
    [InlineData("--emulator-port=0", "Port")]
    [InlineData("--Bridge:Emulators:0:Id=A b", "Id")]
    [InlineData("--Bridge:Emulators:0:Secret=fifteen letters", "Bridge:Emulators:0:Secret is not valid; expected at least 16 characters")]
    [InlineData("--htp-port=5001", "Did you mean --http-port?")]
    [InlineData("--Http-Prot=5001", "Did you mean --http-port?")]
    [InlineData("--emulatorport=8888", "Did you mean --emulator-port?")]
    [InlineData("--url=http://127.0.0.1:1", "Did you mean --urls?")]
    [InlineData("--nonce", "--nonce needs a value")]
    [InlineData("--nonce --http-port=5001", "--nonce needs a value")]
    [InlineData("--nonce --http-prot=5001", "--nonce needs a value")]
    [InlineData("--Bridge:Http:Token", "--Bridge:Http:Token needs a value")]
    [InlineData("--Bridge:Http:Token --http-port=5001", "--Bridge:Http:Token needs a value")]
    [InlineData("--reuse-port=maybe", "--reuse-port is \"maybe\"; expected true or false.")]
    [InlineData("@settings.rsp", "@settings.rsp is not a switch")]
    [InlineData("-p=5001", "-p=5001 is not a switch")]
    [InlineData("5001", "5001 is not a switch")]
    [InlineData("--Bridge:Compatibility:Version=1.0", "Bridge:Compatibility:Version is \"1.0\"; expected")]
    [InlineData("--Bridge:Compatibility:Version=0.11", "from 0.1 to 0.10")]
    [InlineData("--Bridge:Compatibility:Version=0.7.0.1", "Compatibility:Version")]
    [InlineData("--Bridge:Compatibility:Version=", "Compatibility:Version")]
    [InlineData("--Bridge:Http:ConnectionDrain=00:02:00", "Bridge:Http:ConnectionDrain is 00:02:00; expected 0..1 min.")]
    [InlineData("--Bridge:Http:MaxBody=many", "Bridge:Http:MaxBody is \"many\"; expected 1 KiB..64 MiB.")]
    [InlineData("--Bridge:Mcp:Enabled=1", "Bridge:Mcp:Enabled is \"1\"; expected true or false.")]
    [InlineData("--Bridge:Http:Token=short", "Bridge:Http:Token is not valid; expected at least 16 visible ASCII characters")]
    [InlineData("--Bridge:Http:Tokens:0=admin:00", "Bridge:Http:Tokens is not valid; expected at most 100 tokens, each role:hash")]
    [InlineData("--Bridge:Http:Tokens=viewer:00", "Bridge:Http:Tokens is a list; write its items as Bridge:Http:Tokens:0")]
    [InlineData("--Bridge:Http:AllowedOrigins:0=https://example.org/page", "Bridge:Http:AllowedOrigins is \"https://example.org/page\"; expected")]
    [InlineData("--Bridge:Http:AllowedOrigins:0=null", "Bridge:Http:AllowedOrigins is \"null\"; expected")]
    [InlineData("--Bridge:Http:AllowedOrigins:0=file://", "A page that is a file has none.")]
    [InlineData("--Bridge:Http:AllowedHosts:0=*", "Bridge:Http:AllowedHosts is \"*\"; expected host names")]
    [InlineData("--Bridge:Http:AllowedHosts:0=box.local:5000", "without scheme and port")]
    [InlineData("--Bridge:Telemetry:OtlpEndpoint=collector", "Bridge:Telemetry:OtlpEndpoint is \"collector\"; expected an http or https URL")]
    [InlineData("--Bridge:Symbols:Folder=/no/such/folder", "Bridge:Symbols:Folder is \"/no/such/folder\"; expected an existing folder.")]
    [InlineData("--Bridge:Http:MaxConnections:0=1", "There is no setting Bridge:Http:MaxConnections:0.")]
    [InlineData("--Bridge:Http:MaxBdy=2048", "Did you mean Bridge:Http:MaxBody?")]
    public void Read_OfAWrongSetting_NamesIt(string argument, string name)
    {
        var exception = Assert.Throws<SettingsException>(() => Settings.Read(new ConfigurationManager(), argument.Contains(" --", StringComparison.Ordinal) ? argument.Split(' ') : [argument]));
        Assert.Contains(name, Assert.Single(exception.Sentences), StringComparison.Ordinal);
    }

    [Fact]
    public void Read_OfSeveralWrongSettings_NamesThemAll()
    {
        var exception = Assert.Throws<SettingsException>(() => Settings.Read(
            new ConfigurationManager(), ["--Bridge:Http:MaxConnections=0", "--Bridge:HttpPort=-1", "--Bridge:Nope=1", "--Bridge:Http:Nope=1", "--Bridge:Transport:SilenceTimeout=soon"]));
        Assert.Equal(5, exception.Sentences.Count);
    }

    [Fact]
    public void SettingsTable_InTheDocumentation_HasEverySettingWithItsDefaultAndLimits()
    {
        // the options of emulators are those of run, which describes them
        var settings = SettingsSchema.Sections.SelectMany(section => section.Settings, (section, setting) => (setting, section))
            .Where(row => row.setting.Property.DeclaringType != typeof(EmulatorOptions)).ToArray();
        var rows = File.ReadLines(Repository.File("docs/settings.md"))
            .SkipWhile(line => !line.StartsWith("| setting, below `Bridge:`", StringComparison.Ordinal)).Skip(2).TakeWhile(line => line.StartsWith('|'))
            .Select(line => line.Split('|', StringSplitOptions.TrimEntries)).ToDictionary(cells => cells[1].Split('`')[1]);
        Assert.Equal(settings.Select(row => row.setting.Name).Order(StringComparer.Ordinal), rows.Keys.Order(StringComparer.Ordinal));
        var defaults = new BridgeOptions { Emulators = [new()] };
        foreach (var (setting, section) in settings)
        {
            var cells = rows[setting.Name];
            if (setting.Default(section.Items(defaults).Single()) is { } value)
            {
                Assert.Equal($"{setting.Name} {value}", $"{setting.Name} {cells[3]}");
            }

            if (setting.Limits?.Contains("..", StringComparison.Ordinal) == true)
            {
                Assert.Equal($"{setting.Name} {setting.Limits}", $"{setting.Name} {cells[4]}");
            }
        }
    }

    [Fact]
    public void Read_OfNothing_IsOneEmulatorHere()
    {
        var options = Settings.Read(new ConfigurationManager(), []);
        var emulator = Assert.Single(options.EmulatorsOrDefault);
        Assert.Equal(("127.0.0.1", null), (emulator.Host, emulator.Port));
        Assert.Equal(5000, options.HttpPort);
        Assert.Equal(TimeSpan.FromMilliseconds(250), options.Transport.SilenceTimeout);
    }

    [Fact]
    public void Read_OfShortSwitches_SetsWhatTheyStandFor()
    {
        var options = Settings.Read(new ConfigurationManager(), ["--http-port", "5001", "--emulator-port", "8890", "--emulator-host", "::1", "--nonce", "abc"]);
        var emulator = Assert.Single(options.Emulators);
        Assert.Equal((5001, 8890, "::1", "abc"), (options.HttpPort, emulator.Port, emulator.Host, emulator.Nonce));
    }

    [Theory]
    [InlineData("--HTTP-PORT=5002")]
    [InlineData("--bridge:httpport=5002")]
    [InlineData("--Bridge:HttpPort", "5002")]
    [InlineData("--http-port=5001", "--http-port=5002")]
    [InlineData("--http-port", "5001", "--Bridge:HttpPort", "5002")]
    [InlineData("--Bridge:HttpPort=5001", "--http-port", "5002")]
    [InlineData("--reuse-port", "--http-port", "5002", "--reuse-port=false")]
    public void Read_OfNamesInAnyCase_TakesTheLastValue(params string[] arguments) =>
        Assert.Equal((5002, false), (Settings.Read(new ConfigurationManager(), arguments).HttpPort, Settings.Read(new ConfigurationManager(), arguments).Http.ReusePort));

    [Fact]
    public void Read_OfSeveralWrongArguments_NamesThemAll()
    {
        var exception = Assert.Throws<SettingsException>(() => Settings.Read(
            new ConfigurationManager(), ["5001", "--htp-port=1", "--reuse-port=maybe", "--Bridge:HttpPort=1", "--nonce"]));
        Assert.Equal(4, exception.Sentences.Count);
    }

    [Theory]
    [InlineData(true, "--reuse-port")]
    [InlineData(true, "--reuse-port", "--http-port", "5001")]
    [InlineData(true, "--reuse-port=true")]
    [InlineData(false, "--reuse-port", "false")]
    [InlineData(false)]
    public void Read_OfASwitchThatMayStandAlone_IsTrueThen(bool expected, params string[] arguments) =>
        Assert.Equal(expected, Settings.Read(new ConfigurationManager(), arguments).Http.ReusePort);

    [Fact]
    public void Read_OfTheSameIdTwice_SaysWhich()
    {
        var exception = Assert.Throws<SettingsException>(() => Settings.Read(
            new ConfigurationManager(), ["--Bridge:Emulators:0:Id=red", "--Bridge:Emulators:1:Id=red"]));
        Assert.Contains("red", Assert.Single(exception.Sentences), StringComparison.Ordinal);
    }
}
